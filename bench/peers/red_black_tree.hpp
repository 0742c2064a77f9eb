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
        root = nullptr;
        first = nullptr;
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
        while (first != nullptr && !tickwheel_time_after(first->expires, now)) {
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
    static bool is_red(const timer_type *node)
    {
        return node != nullptr && node->colour == timer_type::red;
    }

    /// Puts `node`, which may be null, in the place of `old`.
    void replace(const timer_type *old, timer_type *node)
    {
        if (old->parent == nullptr) {
            root = node;
        } else {
            old->parent->child[side_of(old)] = node;
        }
        if (node != nullptr) {
            node->parent = old->parent;
        }
    }

    /// Rotates: `down` goes one step down on the given side, and its child on the other side takes its place.
    void rotate(timer_type *down, side to)
    {
        timer_type *const up = down->child[other(to)];
        timer_type *const between = up->child[to];
        replace(down, up);
        up->child[to] = down;
        down->parent = up;
        down->child[other(to)] = between;
        if (between != nullptr) {
            between->parent = down;
        }
    }

    void insert(timer_type *node)
    {
        timer_type *parent = nullptr;
        side where = left;
        bool earliest = true;
        for (timer_type *here = root; here != nullptr; here = here->child[where]) {
            parent = here;
            where = tickwheel_time_before(node->expires, here->expires) ? left : right;
            earliest = earliest && where == left;
        }
        node->parent = parent;
        node->child[left] = nullptr;
        node->child[right] = nullptr;
        node->colour = timer_type::red;
        if (parent == nullptr) {
            root = node;
        } else {
            parent->child[where] = node;
        }
        if (earliest) {
            first = node;
        }
        mend_insertion(node);
    }

    /// `node` is red, and so may be its parent.
    void mend_insertion(timer_type *node)
    {
        while (is_red(node->parent)) {
            timer_type *parent = node->parent;
            timer_type *const grandparent = parent->parent;
            const side where = side_of(parent);
            timer_type *const uncle = grandparent->child[other(where)];
            if (is_red(uncle)) {
                parent->colour = timer_type::black;
                uncle->colour = timer_type::black;
                grandparent->colour = timer_type::red;
                node = grandparent;
                continue;
            }
            if (side_of(node) != where) {
                rotate(parent, where);
                parent = node;
            }
            parent->colour = timer_type::black;
            grandparent->colour = timer_type::red;
            rotate(grandparent, other(where));
            break;
        }
        root->colour = timer_type::black;
    }

    void remove(timer_type *node)
    {
        if (node == first) {
            first = next(node);
        }
        // The node that fills the gap, the parent of the gap, and its side.
        timer_type *raised = nullptr;
        timer_type *parent = nullptr;
        side where = left;
        auto lost = node->colour;
        if (node->child[left] == nullptr || node->child[right] == nullptr) {
            raised = node->child[node->child[left] == nullptr ? right : left];
            parent = node->parent;
            where = parent == nullptr ? left : side_of(node);
            replace(node, raised);
        } else {
            timer_type *const successor = leftmost(node->child[right]);
            lost = successor->colour;
            raised = successor->child[right];
            if (successor->parent == node) {
                parent = successor;
                where = right;
            } else {
                parent = successor->parent;
                replace(successor, raised);
                successor->child[right] = node->child[right];
                successor->child[right]->parent = successor;
            }
            replace(node, successor);
            successor->child[left] = node->child[left];
            successor->child[left]->parent = successor;
            successor->colour = node->colour;
        }
        node->colour = timer_type::idle;
        if (lost == timer_type::black) {
            mend_removal(raised, parent, where);
        }
    }

    /// All paths through `node` are one black node short. `node` is a child of `parent`, and may be null.
    void mend_removal(timer_type *node, timer_type *parent, side where)
    {
        while (parent != nullptr && !is_red(node)) {
            timer_type *sibling = parent->child[other(where)];
            if (is_red(sibling)) {
                sibling->colour = timer_type::black;
                parent->colour = timer_type::red;
                rotate(parent, where);
                sibling = parent->child[other(where)];
            }
            if (!is_red(sibling->child[left]) && !is_red(sibling->child[right])) {
                sibling->colour = timer_type::red;
                node = parent;
                parent = node->parent;
                where = parent == nullptr ? left : side_of(node);
                continue;
            }
            if (!is_red(sibling->child[other(where)])) {
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
        if (node != nullptr) {
            node->colour = timer_type::black;
        }
    }

    static timer_type *leftmost(timer_type *node)
    {
        while (node->child[left] != nullptr) {
            node = node->child[left];
        }
        return node;
    }

    /// The successor of the earliest, which has no left child.
    static timer_type *next(const timer_type *earliest)
    {
        return earliest->child[right] != nullptr ? leftmost(earliest->child[right]) : earliest->parent;
    }

    timer_type *root;
    timer_type *first;
};

} // namespace peers

#endif
