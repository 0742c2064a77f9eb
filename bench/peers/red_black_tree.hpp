// SPDX-License-Identifier: MIT
// A red-black tree with the earliest timer at hand, as in nginx and Linux's hrtimers.
// The nodes are in the timers. Equal timers are in the order of arming.
//
// Every path from the root to a null has the same number of black nodes, and no red
// node has a red child. No path is therefore more than twice as long as another.
#ifndef TICKWHEEL_BENCH_RED_BLACK_TREE_HPP
#define TICKWHEEL_BENCH_RED_BLACK_TREE_HPP

#include "peer.hpp"

namespace peers
{

struct tree_timer {
    tree_timer *parent;
    tree_timer *child[2];
    /// `idle` while it is in no tree.
    enum : uint32_t { idle, red, black } colour;
    jiffies_t expires;
    void (*function)(tree_timer *);
};

class red_black_tree : public peer<red_black_tree, tree_timer> {
    friend peer;

public:
    static constexpr const char *name = "red-black tree";
    static constexpr bool skips = true;

    void clear()
    {
        none.colour = timer_type::black;
        root = &none;
        first = &none;
    }

    static bool pending(const timer_type *timer)
    {
        return timer->colour != timer_type::idle;
    }

    void advance(jiffies_t ticks)
    {
        locked lock;
        const jiffies_t now = now_ + ticks;
        now_ = now;
        while (first != &none && !tickwheel_time_after(first->expires, now)) {
            timer_type *const due = first;
            remove(due);
            lock.call(due);
        }
    }

private:
    enum side : unsigned { left, right };
    static side other(side which)
    {
        return which == left ? right : left;
    }
    static side side_of(const timer_type *node)
    {
        return node->parent->child[left] == node ? left : right;
    }
    /// Puts `node` in the place of `old`. A missing node gets a parent too.
    void replace(const timer_type *old, timer_type *node)
    {
        if (old->parent == &none) {
            root = node;
        } else {
            old->parent->child[side_of(old)] = node;
        }
        node->parent = old->parent;
    }

    void adopt(timer_type *parent, side where, timer_type *node)
    {
        parent->child[where] = node;
        if (node != &none) {
            node->parent = parent;
        }
    }

    /// Rotates: `down` goes one step down on the given side, and its child on the other side takes its place.
    void rotate(timer_type *down, side to)
    {
        timer_type *const up = down->child[other(to)];
        replace(down, up);
        adopt(down, other(to), up->child[to]);
        adopt(up, to, down);
    }

    void insert(timer_type *node)
    {
        timer_type *parent = &none;
        side where = left;
        bool earliest = true;
        for (timer_type *here = root; here != &none; here = here->child[where]) {
            parent = here;
            where = tickwheel_time_before(node->expires, here->expires) ? left : right;
            earliest = earliest && where == left;
        }
        *(parent == &none ? &root : &parent->child[where]) = node;
        node->parent = parent;
        node->child[left] = node->child[right] = &none;
        node->colour = timer_type::red;
        first = earliest ? node : first;
        mend_insertion(node);
    }

    /// `node` is red, and so may be its parent.
    void mend_insertion(timer_type *node)
    {
        while (node->parent->colour == timer_type::red) {
            timer_type *const parent = node->parent;
            timer_type *const grandparent = parent->parent;
            const side where = side_of(parent);
            timer_type *const uncle = grandparent->child[other(where)];
            if (uncle->colour == timer_type::red) {
                parent->colour = timer_type::black;
                uncle->colour = timer_type::black;
                grandparent->colour = timer_type::red;
                node = grandparent;
                continue;
            }
            if (side_of(node) != where) {
                rotate(parent, where);
            }
            grandparent->child[where]->colour = timer_type::black;
            grandparent->colour = timer_type::red;
            rotate(grandparent, other(where));
            break;
        }
        root->colour = timer_type::black;
    }

    void remove(timer_type *node)
    {
        if (node == first) {
            // The earliest has no left child.
            first = node->child[right] != &none ? leftmost(node->child[right]) : node->parent;
        }
        // The node that leaves its place, and the one that moves up there.
        timer_type *gone = node;
        if (node->child[left] != &none && node->child[right] != &none) {
            gone = leftmost(node->child[right]);
        }
        timer_type *const raised = gone->child[gone->child[left] == &none ? right : left];
        const auto lost = gone->colour;
        replace(gone, raised);
        if (gone != node) {
            if (raised->parent == node) {
                raised->parent = gone;
            }
            replace(node, gone);
            adopt(gone, left, node->child[left]);
            adopt(gone, right, node->child[right]);
            gone->colour = node->colour;
        }
        node->colour = timer_type::idle;
        if (lost == timer_type::black) {
            mend_removal(raised);
        }
    }

    /// All paths through `node` are one black node short. It may be the missing one, but its sibling is not.
    void mend_removal(timer_type *node)
    {
        while (node != root && node->colour == timer_type::black) {
            timer_type *const parent = node->parent;
            const side where = side_of(node);
            timer_type *sibling = parent->child[other(where)];
            if (sibling->colour == timer_type::red) {
                sibling->colour = timer_type::black;
                parent->colour = timer_type::red;
                rotate(parent, where);
                sibling = parent->child[other(where)];
            }
            if (sibling->child[left]->colour == timer_type::black &&
                sibling->child[right]->colour == timer_type::black) {
                sibling->colour = timer_type::red;
                node = parent;
                continue;
            }
            if (sibling->child[other(where)]->colour == timer_type::black) {
                sibling->child[where]->colour = timer_type::black;
                sibling->colour = timer_type::red;
                rotate(sibling, other(where));
                sibling = parent->child[other(where)];
            }
            sibling->colour = parent->colour;
            parent->colour = timer_type::black;
            sibling->child[other(where)]->colour = timer_type::black;
            rotate(parent, where);
            return;
        }
        node->colour = timer_type::black;
    }

    timer_type *leftmost(timer_type *node) const
    {
        while (node->child[left] != &none) {
            node = node->child[left];
        }
        return node;
    }

    /// Stands for every missing node, a black one. Its parent is only of use in a removal.
    timer_type none;
    timer_type *root;
    timer_type *first;
};

} // namespace peers

#endif
