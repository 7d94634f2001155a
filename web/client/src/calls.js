// calls.js - the table of calls with one request and one JSON response.
//
// Names are the operation ids of /openapi.json.  A call takes the values of its
// path in order, then its body or query, then options.  Other calls are in
// client.js and upload.js.

export const CALLS = {
  version: ['GET', '/version'],
  health: ['GET', '/healthz'],
  ready: ['GET', '/readyz'],

  login: ['POST', '/api/login', 'body'],
  loginWays: ['GET', '/api/login'],
  logout: ['POST', '/api/logout'],
  me: ['GET', '/api/me'],
  listLogins: ['GET', '/api/logins', 'query'],
  revokeLogin: ['DELETE', '/api/logins/{id}'],

  listKeys: ['GET', '/api/keys', 'query'],
  createKey: ['POST', '/api/keys', 'body'],
  revokeKey: ['DELETE', '/api/keys/{prefix}'],
  listUsers: ['GET', '/api/users', 'query'],
  listAudit: ['GET', '/api/audit', 'query'],

  listSessions: ['GET', '/api/sessions', 'query'],
  createSession: ['POST', '/api/sessions', 'body'],
  getSession: ['GET', '/api/sessions/{id}'],
  updateSession: ['PATCH', '/api/sessions/{id}', 'body'],
  deleteSession: ['DELETE', '/api/sessions/{id}'],
  createShare: ['POST', '/api/sessions/{id}/share', 'body'],
  listShares: ['GET', '/api/shares', 'query'],
  endShare: ['DELETE', '/api/shares/{id}'],
  listReferences: ['GET', '/api/sessions/{id}/references', 'query'],
  listImages: ['GET', '/api/sessions/{id}/images', 'query'],

  listMessages: ['GET', '/api/sessions/{id}/messages', 'query'],
  createMessage: ['POST', '/api/sessions/{id}/messages', 'body'],
  putFeedback: ['PUT', '/api/messages/{id}/feedback', 'body'],
  deleteFeedback: ['DELETE', '/api/messages/{id}/feedback', 'query'],
  updateMessage: ['PATCH', '/api/messages/{id}', 'body'],
  addSources: ['POST', '/api/messages/{id}/sources', 'body'],
  deleteSources: ['DELETE', '/api/sessions/{id}/sources'],
  listRetrievals: ['GET', '/api/sessions/{id}/retrievals', 'query'],
  createRetrieval: ['POST', '/api/sessions/{id}/retrievals', 'body'],

  listCourses: ['GET', '/api/courses', 'query'],
  createCourse: ['POST', '/api/courses', 'body'],
  getCourse: ['GET', '/api/courses/{id}'],
  updateCourse: ['PATCH', '/api/courses/{id}', 'body'],
  deleteCourse: ['DELETE', '/api/courses/{id}', 'query'],
  listMembers: ['GET', '/api/courses/{id}/members', 'query'],
  putMember: ['PUT', '/api/courses/{id}/members/{userId}', 'body'],
  deleteMember: ['DELETE', '/api/courses/{id}/members/{userId}'],
  courseInsights: ['GET', '/api/courses/{id}/insights', 'query'],
  switchInsights: ['PUT', '/api/courses/{id}/insights', 'body'],
  courseStats: ['GET', '/api/courses/{id}/stats'],

  listDocuments: ['GET', '/api/courses/{id}/documents', 'query'],
  getDocument: ['GET', '/api/documents/{id}', 'query'],
  library: ['GET', '/api/documents', 'query'],
  getOutline: ['GET', '/api/documents/{id}/outline', 'query'],
  updateDocument: ['PATCH', '/api/documents/{id}', 'body'],
  retryDocument: ['POST', '/api/documents/{id}/retry'],
  deleteDocument: ['DELETE', '/api/documents/{id}', 'query'],
  listCitations: ['GET', '/api/documents/{id}/citations', 'query'],
  documentImpact: ['GET', '/api/documents/{id}/impact', 'query'],
  getPage: ['GET', '/api/documents/{id}/pages/{n}', 'query'],
  getTranscript: ['GET', '/api/documents/{id}/transcript', 'query'],
  findMarks: ['POST', '/api/marks', 'body'],
  verifyText: ['POST', '/api/verify', 'body'],
  search: ['GET', '/api/search', 'query'],

  stopChat: ['POST', '/api/chat/{id}/stop', 'body'],
  query: ['POST', '/api/query', 'body'],
  listModels: ['GET', '/v1/models'],
};
