/* access_lines.h - who may make which call: the expectations of
 * access_matrix_test.c.
 *
 * The request is made from the row of api_routes with that name: its method,
 * and its pattern with names of things of the owner's.  A line adds what the
 * row cannot know: which thing, a body that works, and the status that each
 * person gets.  Every route has a line, and in one of them the owner gets 2xx;
 * the tests fail otherwise. */
#ifndef ACCESS_LINES_H
#define ACCESS_LINES_H
#include "canary_site.h"

/* Whose is the thing that the line is about? */
enum whose {
    ALL,  /* it is about nothing of the owner's */
    OURS, /* the owner's, the editor's and the reader's */
    HERS  /* the owner's alone */
};

/* Things that are made when the site is opened. */
#define LINK        "@link"
#define ASSET       "@asset"
#define OWNER_KEY   "@owner key"
#define REVOKED_KEY "@revoked key"
#define OWNER_LOGIN "@owner login"
#define OWNER_SHARE "@owner share"

struct line {
    const char *name;  /* of the route */
    const char *thing; /* in the first {...} of its pattern; NULL: none */
    enum whose whose;
    int status[PEOPLE]; /* 0: not asked here */
    int admin;          /* 0: as a stranger */
    /* What the owner is told with a key for another course; 0: as herself about
     * nothing, else as a stranger; -1: not asked here. */
    int confined;
    /* In these $ is the thing, and ' is ". */
    bool elsewhere;           /* what works of it is tested by another: oidc.sh,
                                 links_test.c */
    const char *query, *body; /* may be NULL */
    /* What only those who may see it may have changed; NULL: the call that
     * reads the same path, if there is one. */
    const char *read;
};
extern const struct line access_lines[];
extern const size_t access_lines_n;

#endif
