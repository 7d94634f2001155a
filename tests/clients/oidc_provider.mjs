// oidc_provider.mjs - the `oidc-provider` package on loopback, and what a hostile
// or careless one would do: its token answers can be changed on their way.
import { createServer } from 'node:http';
import { generateKeyPair, exportJWK, importJWK, SignJWT, decodeJwt } from 'jose';
import { Provider } from 'oidc-provider';

const newKey = async (kid) => {
    const { privateKey } = await generateKeyPair('ES256', { extractable: true });
    return { ...(await exportJWK(privateKey)), kid, alg: 'ES256', use: 'sig' };
};

/** Who is there, and in which groups; tests change it. */
export const people = new Map();

export async function startProvider() {
    const state = { change: null, tokens: 0, callback: null, key: await newKey('one') };
    const server = createServer((req, res) => {
        if (!state.callback) return void res.writeHead(503).end();
        if (req.method === 'POST' && req.url === '/token') rewrite(res, state);
        state.callback(req, res);
    });
    await new Promise((then) => server.listen(0, '127.0.0.1', then));
    const issuer = `http://127.0.0.1:${server.address().port}`;
    let redirects = [];

    const make = () => {
        const provider = new Provider(issuer, {
            clients: [{
                client_id: 'footnote', client_secret: 'a secret: 100% +&=/ unsafe',
                redirect_uris: redirects.map((u) => `${u}/api/oidc/callback`),
                post_logout_redirect_uris: redirects.map((u) => `${u}/`),
                id_token_signed_response_alg: 'ES256',
            }],
            jwks: { keys: [state.key] },
            pkce: { required: () => true },
            scopes: ['openid', 'groups', 'email'],
            claims: { openid: ['sub'], groups: ['groups'], email: ['email', 'email_verified'] },
            findAccount: (_, id) => ({
                accountId: id,
                claims: () => ({ sub: id, ...people.get(id) }),
            }),
            features: { devInteractions: { enabled: true }, rpInitiatedLogout: { enabled: true } },
            cookies: { keys: ['a key of the tests'] },
        });
        state.callback = provider.callback();
    };
    return {
        issuer, state,
        serve(urls) { redirects = urls; make(); },
        async rotate(kid) { state.key = await newKey(kid); make(); },
        stop: () => server.close(),
    };
}

/** The answer's ID token is signed anew after `change` has had its way. */
function rewrite(res, state) {
    const end = res.end.bind(res);
    state.tokens++;
    if (!state.change) return;
    const { change } = state;
    res.end = async (body, ...rest) => {
        const text = body?.toString() ?? '';
        const value = text.startsWith('{') ? JSON.parse(text) : {};
        if (!value.id_token) return end(body, ...rest);
        const claims = decodeJwt(value.id_token);
        const header = { alg: 'ES256', kid: state.key.kid };
        const key = (await change(claims, header)) ?? await importJWK(state.key, 'ES256');
        value.id_token = header.alg === 'none'
            ? `${[header, claims].map((o) => Buffer.from(JSON.stringify(o)).toString('base64url')).join('.')}.`
            : await new SignJWT(claims).setProtectedHeader(header).sign(key);
        const changed = JSON.stringify(value);
        res.setHeader('content-length', Buffer.byteLength(changed));
        return end(changed);
    };
}
