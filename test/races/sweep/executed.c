// SPDX-License-Identifier: MIT
// A QEMU plugin that writes down where the guest executed an instruction between
// the hint that begins an operation and the one that ends it, interrupts left out:
// with interrupts enabled `before <address>` up to the interrupt and `behind
// <address>` after it, else `masked <address>`. Only addresses from=..to= count,
// the library's.
//
// It also stops a program that hangs in the library.
//
// It sees no registers. So it follows PRIMASK and BASEPRI as count.c does: an MSR
// undoes the last MRS that none has undone, or unmasks.
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../../bench/wheel/qemu_plugin.h"

__attribute__((visibility("default"))) int qemu_plugin_version = api_version;

enum {
    hint_begin = 0xbf50,
    hint_end = 0xbf60,
    hint_interrupt = 0xbf70,
    hint_return = 0xbf80,
    most_code = 1 << 16,
    most_in_a_run = 10000000,
    nesting = 16
};

static uint32_t from;
static uint32_t to;
static FILE *out;
/// Between the hints of an operation; within the interrupt; and whether that has been.
static bool active;
static bool in_interrupt;
static bool interrupted;
/// How many instructions of the library were executed since an operation began.
static unsigned in_this_run;
struct mask {
    bool set;
    bool saved[nesting];
    unsigned depth;
};
static struct mask primask;
static struct mask basepri;
/// How an instruction was executed, and the word for it.
enum { before, behind, under_mask, ways };
static const char *const words[ways] = {"before", "behind", "masked"};
static bool seen[ways][most_code / 2];

static void stop(const char *why)
{
    fprintf(stderr, "executed: %s\n", why);
    _Exit(1);
}

static bool masked(void)
{
    return primask.set || basepri.set;
}

static void on_hint(unsigned cpu, void *data)
{
    (void)cpu;
    switch ((uintptr_t)data) {
    case hint_begin:
        active = true;
        in_this_run = 0;
        interrupted = false;
        primask.set = basepri.set = false;
        primask.depth = basepri.depth = 0;
        break;
    case hint_end:
        if (masked() || primask.depth != 0 || basepri.depth != 0) {
            stop("an operation ends with interrupts masked");
        }
        active = false;
        break;
    case hint_interrupt:
        if (active && masked()) {
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
    if (++in_this_run > most_in_a_run) {
        stop("the library hangs");
    }
    if (counts()) {
        seen[masked() ? under_mask : interrupted ? behind : before][((uintptr_t)data - from) / 2] = true;
    }
}

static void set(struct mask *mask)
{
    if (counts()) {
        mask->set = true;
    }
}

static void save(struct mask *mask)
{
    if (counts()) {
        if (mask->depth == nesting) {
            stop("locks nest too deeply");
        }
        mask->saved[mask->depth++] = mask->set;
    }
}

static void restore(struct mask *mask)
{
    if (counts()) {
        mask->set = mask->depth != 0 && mask->saved[--mask->depth];
    }
}

static void on_cpsid(unsigned cpu, void *data)
{
    on_plain(cpu, data);
    set(&primask);
}

static void on_mrs_primask(unsigned cpu, void *data)
{
    on_plain(cpu, data);
    save(&primask);
}

static void on_msr_primask(unsigned cpu, void *data)
{
    on_plain(cpu, data);
    restore(&primask);
}

static void on_msr_basepri_max(unsigned cpu, void *data)
{
    on_plain(cpu, data);
    set(&basepri);
}

static void on_mrs_basepri(unsigned cpu, void *data)
{
    on_plain(cpu, data);
    save(&basepri);
}

static void on_msr_basepri(unsigned cpu, void *data)
{
    on_plain(cpu, data);
    restore(&basepri);
}

/// What to call for an instruction of the library.
static void (*call_for(const uint16_t half[2]))(unsigned, void *)
{
    enum { cpsid_i = 0xb672, mrs = 0xf3ef, msr = 0xf380 };
    if (half[0] == cpsid_i) {
        return on_cpsid;
    }
    if (half[0] != mrs && (half[0] & 0xfff0) != msr) {
        return on_plain;
    }
    switch (half[1] & 0xff) {
    case 0x10:
        return half[0] == mrs ? on_mrs_primask : on_msr_primask;
    case 0x11:
        return half[0] == mrs ? on_mrs_basepri : on_msr_basepri;
    case 0x12:
        return on_msr_basepri_max;
    default:
        return on_plain;
    }
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
    for (unsigned way = 0; way < ways; ++way) {
        for (unsigned i = 0; i < most_code / 2; ++i) {
            if (seen[way][i]) {
                fprintf(out, "%s %08x\n", words[way], from + 2 * i);
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
