// SPDX-License-Identifier: MIT
// A QEMU plugin that notes which ways the conditional branches of a Thumb program went: one line for each branch that
// was executed, with its address, how often it was not taken and how often it was taken.
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../bench/wheel/qemu_plugin.h"

__attribute__((visibility("default"))) int qemu_plugin_version = api_version;

/// By the address of the branch, each for two bytes of code.
enum { code_bytes = 1 << 18 };
static struct branch {
    uint32_t at, next, target;
    uint64_t not_taken, taken;
} branches[code_bytes / 2];
static uint32_t code_start = UINT32_MAX;
/// The branch that was executed last, until the next instruction shows its way.
static struct branch *open_branch;
static FILE *out;

static void on_branch(unsigned cpu, void *data)
{
    (void)cpu;
    open_branch = data;
}

// A conditional branch ends a block of QEMU's. An interrupt that comes between begins somewhere else.
static void on_block(unsigned cpu, void *data)
{
    (void)cpu;
    if (open_branch != NULL) {
        const uint32_t here = (uint32_t)(uintptr_t)data;
        open_branch->not_taken += here == open_branch->next;
        open_branch->taken += here == open_branch->target;
        open_branch = NULL;
    }
}

static uint32_t sign_extended(uint32_t value, unsigned bits)
{
    const uint32_t sign = 1u << (bits - 1);
    return (value ^ sign) - sign;
}

/// Whether these are a conditional branch, and what it does. Arm's manual DDI0403E, A7.7.12 and A7.7.21.
static bool is_branch(uint32_t at, const uint8_t *code, struct branch *found)
{
    uint16_t half[2];
    memcpy(&half[0], code, 2);
    const uint16_t a = half[0];
    if (a >> 12 == 0xd && (a >> 8 & 0xf) < 0xe) {
        *found = (struct branch){at, at + 2, at + 4 + sign_extended((a & 0xffu) << 1, 9), 0, 0};
        return true;
    }
    if ((a & 0xf500) == 0xb100) {
        *found = (struct branch){at, at + 2, at + 4 + ((a >> 3 & 0x40u) | (a >> 2 & 0x3eu)), 0, 0};
        return true;
    }
    if (a >> 11 != 0x1e) {
        return false;
    }
    memcpy(&half[1], code + 2, 2);
    const uint32_t b = half[1];
    if ((b & 0xd000) != 0x8000 || (a >> 6 & 0xf) >= 0xe) {
        return false;
    }
    const uint32_t distance =
        (a >> 10 & 1u) << 20 | (b >> 11 & 1u) << 19 | (b >> 13 & 1u) << 18 | (a & 0x3fu) << 12 | (b & 0x7ffu) << 1;
    *found = (struct branch){at, at + 4, at + 4 + sign_extended(distance, 21), 0, 0};
    return true;
}

static void on_translation(qemu_plugin_id_t id, struct qemu_plugin_tb *block)
{
    (void)id;
    const size_t count = qemu_plugin_tb_n_insns(block);
    for (size_t i = 0; i < count; ++i) {
        struct qemu_plugin_insn *const instruction = qemu_plugin_tb_get_insn(block, i);
        const uint32_t at = (uint32_t)qemu_plugin_insn_vaddr(instruction);
        if (i == 0) {
            qemu_plugin_register_vcpu_insn_exec_cb(instruction, on_block, no_registers, (void *)(uintptr_t)at);
        }
        struct branch found;
        if (!is_branch(at, qemu_plugin_insn_data(instruction), &found)) {
            continue;
        }
        if (code_start == UINT32_MAX) {
            code_start = at & ~(uint32_t)(code_bytes - 1);
        }
        struct branch *const slot = &branches[(at - code_start) / 2 % (code_bytes / 2)];
        if (slot->at != at) {
            if (slot->next != 0) {
                (void)fputs("branches: the program is too large\n", stderr);
                _Exit(1);
            }
            *slot = found;
        }
        qemu_plugin_register_vcpu_insn_exec_cb(instruction, on_branch, no_registers, slot);
    }
}

static void on_exit_of_qemu(qemu_plugin_id_t id, void *data)
{
    (void)id;
    (void)data;
    for (size_t i = 0; i < code_bytes / 2; ++i) {
        if (branches[i].next != 0) {
            (void)fprintf(out, "%" PRIx32 " %" PRIu64 " %" PRIu64 "\n", branches[i].at, branches[i].not_taken,
                          branches[i].taken);
        }
    }
    if (fclose(out) != 0) {
        _Exit(1);
    }
}

__attribute__((visibility("default"))) int qemu_plugin_install(qemu_plugin_id_t id, const qemu_info_t *info, int argc,
                                                               char **argv)
{
    if (info->version.cur != api_version || strcmp(info->target_name, "arm") != 0 || argc != 1 ||
        strncmp(argv[0], "out=", 4) != 0 || (out = fopen(argv[0] + 4, "w")) == NULL) {
        (void)fputs("branches: for qemu-system-arm 7.2, with one argument, out=FILE\n", stderr);
        return 1;
    }
    qemu_plugin_register_vcpu_tb_trans_cb(id, on_translation);
    qemu_plugin_register_atexit_cb(id, on_exit_of_qemu, NULL);
    return 0;
}
