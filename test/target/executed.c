// SPDX-License-Identifier: MIT
// A QEMU plugin that writes down where the guest executed an instruction with
// interrupts enabled, between the hint that begins an operation and the one that
// ends it, interrupts left out: `before <address>` up to the interrupt, `behind
// <address>` after it. Only addresses from=..to= count, the library's.
//
// It sees no registers. So it follows the lock as count.c does: an MSR PRIMASK
// undoes the last MRS that none has undone, or unmasks.
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../bench/qemu_plugin.h"

__attribute__((visibility("default"))) int qemu_plugin_version = api_version;

enum {
    hint_begin = 0xbf50,
    hint_end = 0xbf60,
    hint_interrupt = 0xbf70,
    hint_return = 0xbf80,
    most_code = 1 << 16,
    nesting = 16
};

static uint32_t from;
static uint32_t to;
static FILE *out;
/// Between the hints of an operation; within the interrupt; and whether that has been.
static bool active;
static bool in_interrupt;
static bool interrupted;
static bool masked;
static bool saved[nesting];
static unsigned depth;
static bool seen[2][most_code / 2];

static void stop(const char *why)
{
    fprintf(stderr, "executed: %s\n", why);
    _Exit(1);
}

static void on_hint(unsigned cpu, void *data)
{
    (void)cpu;
    switch ((uintptr_t)data) {
    case hint_begin:
        active = true;
        interrupted = false;
        masked = false;
        depth = 0;
        break;
    case hint_end:
        if (masked || depth != 0) {
            stop("an operation ends with interrupts masked");
        }
        active = false;
        break;
    case hint_interrupt:
        if (active && masked) {
            stop("an interrupt while they were masked");
        }
        in_interrupt = true;
        break;
    default:
        in_interrupt = false;
        interrupted = true;
        break;
    }
}

static bool counts(void)
{
    return active && !in_interrupt;
}

// The calls below come before the instruction at the address in `data` is executed.

static void on_plain(unsigned cpu, void *data)
{
    (void)cpu;
    if (counts() && !masked) {
        seen[interrupted][((uintptr_t)data - from) / 2] = true;
    }
}

static void on_mask(unsigned cpu, void *data)
{
    on_plain(cpu, data);
    if (counts()) {
        masked = true;
    }
}

static void on_save(unsigned cpu, void *data)
{
    on_plain(cpu, data);
    if (counts()) {
        if (depth == nesting) {
            stop("locks nest too deeply");
        }
        saved[depth++] = masked;
    }
}

static void on_restore(unsigned cpu, void *data)
{
    on_plain(cpu, data);
    if (counts()) {
        masked = depth != 0 && saved[--depth];
    }
}

/// What to call for an instruction of the library.
static void (*call_for(const uint16_t half[2]))(unsigned, void *)
{
    enum { cpsid_i = 0xb672, mrs = 0xf3ef, msr = 0xf380, primask = 0x10 };
    if (half[0] == cpsid_i) {
        return on_mask;
    }
    if (half[0] == mrs && (half[1] & 0xff) == primask) {
        return on_save;
    }
    if ((half[0] & 0xfff0) == msr && (half[1] & 0xff) == primask) {
        return on_restore;
    }
    return on_plain;
}

static void on_translation(qemu_plugin_id_t id, struct qemu_plugin_tb *block)
{
    (void)id;
    const size_t count = qemu_plugin_tb_n_insns(block);
    for (size_t i = 0; i < count; ++i) {
        struct qemu_plugin_insn *const instruction = qemu_plugin_tb_get_insn(block, i);
        const uint8_t *const code = qemu_plugin_insn_data(instruction);
        const uint64_t address = qemu_plugin_insn_vaddr(instruction);
        uint16_t half[2] = {0, 0};
        memcpy(half, code, 2);
        // QEMU's word for the size is not to be trusted at a page's end: 0b11101 and above begins two halfwords.
        if (half[0] >> 11 >= 0x1d) {
            memcpy(half + 1, code + 2, 2);
        }
        if (half[0] == hint_begin || half[0] == hint_end || half[0] == hint_interrupt || half[0] == hint_return) {
            qemu_plugin_register_vcpu_insn_exec_cb(instruction, on_hint, no_registers, (void *)(uintptr_t)half[0]);
        } else if (address >= from && address < to) {
            qemu_plugin_register_vcpu_insn_exec_cb(instruction, call_for(half), no_registers,
                                                   (void *)(uintptr_t)address);
        }
    }
}

static void on_exit_of_qemu(qemu_plugin_id_t id, void *data)
{
    (void)id;
    (void)data;
    for (unsigned behind = 0; behind < 2; ++behind) {
        for (unsigned i = 0; i < most_code / 2; ++i) {
            if (seen[behind][i]) {
                fprintf(out, "%s %08x\n", behind ? "behind" : "before", from + 2 * i);
            }
        }
    }
    if (fclose(out) != 0) {
        stop("cannot write");
    }
}

__attribute__((visibility("default"))) int qemu_plugin_install(qemu_plugin_id_t id, const void *info, int argc,
                                                               char **argv)
{
    (void)info;
    for (int i = 0; i < argc; ++i) {
        if (strncmp(argv[i], "from=", 5) == 0) {
            from = (uint32_t)strtoul(argv[i] + 5, NULL, 16);
        } else if (strncmp(argv[i], "to=", 3) == 0) {
            to = (uint32_t)strtoul(argv[i] + 3, NULL, 16);
        } else if (strncmp(argv[i], "out=", 4) == 0) {
            out = fopen(argv[i] + 4, "w");
        }
    }
    if (out == NULL || to <= from || to - from > most_code) {
        stop("needs out=FILE,from=HEX,to=HEX, at most 64 KiB apart");
    }
    qemu_plugin_register_vcpu_tb_trans_cb(id, on_translation);
    qemu_plugin_register_atexit_cb(id, on_exit_of_qemu, NULL);
    return 0;
}
