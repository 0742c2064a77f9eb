/* SPDX-License-Identifier: MIT */
/* NOT Zephyr: see kernel.h. The doubly linked list, as far as port/zephyr uses it. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* The links of the list itself are its ends. A node that is in no list has no next. */
struct _dnode {
    union {
        struct _dnode *head;
        struct _dnode *next;
    };
    union {
        struct _dnode *tail;
        struct _dnode *prev;
    };
};
typedef struct _dnode sys_dlist_t;
typedef struct _dnode sys_dnode_t;

#define SYS_DLIST_STATIC_INIT(list)                                                                                  \
    {                                                                                                                \
        {(list)},                                                                                                    \
        {                                                                                                            \
            (list)                                                                                                   \
        }                                                                                                            \
    }

static inline bool sys_dlist_is_empty(sys_dlist_t *list)
{
    return list->head == list;
}

static inline void sys_dlist_append(sys_dlist_t *list, sys_dnode_t *node)
{
    node->next = list;
    node->prev = list->tail;
    list->tail->next = node;
    list->tail = node;
}

static inline void sys_dlist_remove(sys_dnode_t *node)
{
    node->prev->next = node->next;
    node->next->prev = node->prev;
    node->next = NULL;
    node->prev = NULL;
}

static inline sys_dnode_t *sys_dlist_get(sys_dlist_t *list)
{
    sys_dnode_t *const first = sys_dlist_is_empty(list) ? NULL : list->head;

    if (first != NULL) {
        sys_dlist_remove(first);
    }
    return first;
}
