/*
 * server_principal.c - see server_principal.h.
 */
#include "server/server_principal.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/base_hash.h"

void server_principals_init(struct server_principals *principals)
{
    memset(principals, 0, sizeof(*principals));
    for (size_t i = 0; i < SERVER_PRINCIPAL_BUCKETS; i++)
        server_list_init(&principals->bucket[i]);
    server_list_init(&principals->idle);
}

static void forget(struct server_principal *principal)
{
    server_list_remove(&principal->in_bucket);
    server_list_remove(&principal->in_use_order);
    principal->all->n--;
    principal->all->n_idle--;
    free(principal);
}

void server_principals_deinit(struct server_principals *principals)
{
    SERVER_LIST_EACH(node, &principals->idle)
        forget(SERVER_LIST_OF(node, struct server_principal, in_use_order));
}

/* ---- references ----------------------------------------------------------------------- */

static struct server_list *bucket_of(struct server_principals *principals, const char *key)
{
    return &principals->bucket[base_hash(key, strlen(key), 0) % SERVER_PRINCIPAL_BUCKETS];
}

static struct server_principal *find(struct server_principals *principals, const char *key)
{
    SERVER_LIST_EACH(node, bucket_of(principals, key)) {
        struct server_principal *principal =
            SERVER_LIST_OF(node, struct server_principal, in_bucket);

        if (!strcmp(principal->key, key))
            return principal;
    }
    return NULL;
}

static struct server_principal *principal_new(struct server_principals *principals, const char *key)
{
    struct server_principal *principal = calloc(1, sizeof(*principal));

    if (!principal)
        return NULL;
    principal->all = principals;
    principal->references = 1;
    snprintf(principal->key, sizeof(principal->key), "%s", key);
    server_list_append(bucket_of(principals, principal->key), &principal->in_bucket);
    principals->n++;
    return principal;
}

struct server_principal *server_principal_acquire(struct server_principals *principals,
                                                  const char *key)
{
    struct server_principal *principal = find(principals, key);

    if (!principal)
        return principal_new(principals, key);
    if (!principal->references++) {
        server_list_remove(&principal->in_use_order);
        principals->n_idle--;
    }
    return principal;
}

void server_principal_release(struct server_principal *principal)
{
    struct server_principals *all;

    if (!principal || --principal->references)
        return;
    all = principal->all;
    server_list_append(&all->idle, &principal->in_use_order);
    if (++all->n_idle > SERVER_PRINCIPALS_IDLE)
        forget(
            SERVER_LIST_OF(server_list_first(&all->idle), struct server_principal, in_use_order));
}

struct server_principal *server_principal_add_jobs(struct server_principal *principal, size_t n)
{
    if (!principal)
        return NULL;
    principal->references += (unsigned)n;
    principal->n_jobs += n;
    return principal;
}

void server_principal_remove_jobs(struct server_principal *principal, size_t n)
{
    if (!principal || !n)
        return;
    principal->n_jobs -= n;
    principal->references -= (unsigned)n - 1;
    server_principal_release(principal);
}

/* ---- keys ----------------------------------------------------------------------------- */

void server_principal_key_of_token(const char *name, char *out)
{
    snprintf(out, SERVER_PRINCIPAL_KEY_BYTES, "token %s", name);
}

static bool key_of_v4(const struct sockaddr_in *address, char *out)
{
    char text[INET_ADDRSTRLEN] = "";

    inet_ntop(AF_INET, &address->sin_addr, text, sizeof(text));
    snprintf(out, SERVER_PRINCIPAL_KEY_BYTES, "address %s", text);
    return ntohl(address->sin_addr.s_addr) >> 24 == 127;
}

static bool key_of_v6(const struct sockaddr_in6 *address, char *out)
{
    struct in6_addr network = address->sin6_addr;
    char text[INET6_ADDRSTRLEN] = "";

    memset(&network.s6_addr[8], 0, 8);
    inet_ntop(AF_INET6, &network, text, sizeof(text));
    snprintf(out, SERVER_PRINCIPAL_KEY_BYTES, "address %s/64", text);
    return IN6_IS_ADDR_LOOPBACK(&address->sin6_addr);
}

bool server_principal_key_of_address(const struct sockaddr *address, char *out)
{
    if (address && address->sa_family == AF_INET)
        return key_of_v4((const void *)address, out);
    if (address && address->sa_family == AF_INET6)
        return key_of_v6((const void *)address, out);
    snprintf(out, SERVER_PRINCIPAL_KEY_BYTES, "address unix");
    return true;
}
