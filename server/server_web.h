/*
 * server_web.h - the web page as data: what stands in server/web, turned into C when the program is
 * built (server/web/build.py), so that the daemon needs no files at run time.
 */
#ifndef SERVER_SERVER_WEB_H
#define SERVER_SERVER_WEB_H

#include <stddef.h>

struct server_web_body {
    const char *data; /* any bytes */
    size_t length;
};

/* Names carry a digest of the content, so that an asset may be cached for ever; the page has the
 * name "" and must be asked for again. */
struct server_web_asset {
    const char *name;
    const char *content_type;
    const char *etag; /* quoted; that of the compressed body ends in -gz */
    const char *etag_gzip;
    struct server_web_body identity;
    struct server_web_body gzip; /* length 0: compression does not pay */
};

extern const struct server_web_asset server_web_assets[];
extern const size_t server_web_asset_count;

#endif
