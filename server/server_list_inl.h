/*
 * server_list_inl.h - intrusive doubly linked lists: a node lives inside the thing it links.
 *
 *     struct server_list readers;              server_list_init(&readers);
 *     struct reader { struct server_node node; ... };
 *
 *     SERVER_LIST_EACH(node, &readers) {       the visited node may be removed in the body
 *         struct reader *reader = SERVER_LIST_OF(node, struct reader, node);
 *     }
 */
#ifndef SERVER_SERVER_LIST_INL_H
#define SERVER_SERVER_LIST_INL_H

#include <stdbool.h>
#include <stddef.h>

struct server_node {
    struct server_node *next, *previous; /* NULL: in no list */
};

struct server_list {
    struct server_node head; /* of a circle */
};

#define SERVER_LIST_OF(pointer, type, member)                                                      \
    ((type *)(void *)((char *)(pointer)-offsetof(type, member)))

#define SERVER_LIST_EACH(at, list)                                                                 \
    for (struct server_node *at = (list)->head.next, *at##_next = at->next; at != &(list)->head;   \
         at = at##_next, at##_next = at->next)

static inline void server_list_init(struct server_list *list)
{
    list->head.next = list->head.previous = &list->head;
}

static inline bool server_list_is_empty(const struct server_list *list)
{
    return list->head.next == &list->head;
}

static inline struct server_node *server_list_first(struct server_list *list)
{
    return server_list_is_empty(list) ? NULL : list->head.next;
}

static inline void server_list_insert_before(struct server_node *place, struct server_node *node)
{
    node->next = place;
    node->previous = place->previous;
    place->previous->next = node;
    place->previous = node;
}

static inline void server_list_append(struct server_list *list, struct server_node *node)
{
    server_list_insert_before(&list->head, node);
}

/* Nothing happens to a node that is in no list. */
static inline void server_list_remove(struct server_node *node)
{
    if (!node->next)
        return;
    node->previous->next = node->next;
    node->next->previous = node->previous;
    node->next = node->previous = NULL;
}

static inline bool server_list_is_in(const struct server_node *node)
{
    return node->next != NULL;
}

#endif
