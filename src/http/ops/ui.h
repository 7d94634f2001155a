/* ui.h - handlers of the pages that people use, rows of api.c.
 *
 * The files are what `make web` made of web/: they are in the program, or in
 * the folder that --ui-dir names. */
#ifndef HTTP_OPS_UI_H
#define HTTP_OPS_UI_H
#include "http/core/http.h"

enum { UI_FILE_BYTES_MAX = 16 * 1024 * 1024 };

request_fn ui_page;  /* every address of the app: its one page */
request_fn ui_asset; /* GET /assets/{name}: what that page loads */

/* ui_dir.c: answers with the file `name` of the folder --ui-dir. */
request_fn ui_dir_page;
request_fn ui_dir_asset;

/* What both kinds say of a file. */
struct str ui_type(struct str name);
void ui_page_headers(struct request *r);
void ui_missing(struct request *r);

#endif
