// SPDX-License-Identifier: MIT
// A QEMU plugin that counts the guest's instructions, exactly.
//
// The guest marks what it does. A marker is three hints, 0xbf50 .., that every core executes as NOP and that no
// compiler emits. The first says start or end. The other two are the octal digits of an operation's number. Markers
// do not count, so an empty pair counts 0.
//
// A masked section begins after the instruction that masks interrupts (CPSID). It ends with the one that unmasks them
// (CPSIE, MSR PRIMASK). Nested locks belong to it. A section belongs to the operation in which it ends.
//
// A plugin cannot read registers, so the MRS before an MSR tells what it restores. Locks nest: each MSR undoes the
// last MRS that is still open. Without an open MRS it restores "unmasked". Interrupts must be on at every start and
// end; the plugin checks that, and so finds a guest that does anything else.
//
// The output has one line an operation: number, count, total, maximum, longest masked section.
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "qemu_plugin.h"

__attribute__((visibility("default"))) int qemu_plugin_version = PLUGIN_API;

enum {
    hint_begin = 0xbf50,
    hint_end = 0xbf60,
    hint_digit = 0xbf80, // to 0xbff0
    operations = 64,
    nesting = 16
};

static struct {
    uint64_t count;
    uint64_t total;
    uint64_t max;
    uint64_t masked;
} operation[operations];

static FILE *out;
/// The marker being read: its first hint, the digits still missing, and the number so far.
static unsigned marker;
static unsigned digits;
static unsigned number;
/// The current operation, 0 for none, with executed() at its start: all instructions except markers.
static unsigned current;
static uint64_t begun_at;
/// Whether interrupts are masked, since when, and what every open MRS has read.
static bool masked;
static uint64_t masked_at;
static bool saved[nesting];
static unsigned depth;

#define stop(...) (fputs("count: ", stderr), fprintf(stderr, __VA_ARGS__), fputc('\n', stderr), _Exit(1))

static void begin(unsigned which)
{
    if (current != 0 || masked || depth != 0) {
        stop("operation %u begins inside operation %u or with interrupts off", which, current);
    }
    current = which;
    begun_at = *executed();
}

static void end(unsigned which)
{
    if (current != which || masked || depth != 0) {
        stop("operation %u ends, %u had begun, or interrupts are off", which, current);
    }
    const uint64_t length = *executed() - begun_at;
    operation[which].count += 1;
    operation[which].total += length;
    if (length > operation[which].max) {
        operation[which].max = length;
    }
    current = 0;
}

static void on_hint(unsigned cpu, void *data)
{
    (void)cpu;
    const unsigned hint = (unsigned)(uintptr_t)data;
    if (hint < hint_digit) {
        marker = hint;
        digits = 2;
        number = 0;
        return;
    }
    if (digits == 0) {
        stop("a digit 0x%x without a marker before it", hint);
    }
    number = number * 8 + (hint - hint_digit) / 16;
    if (--digits == 0) {
        (marker == hint_begin ? begin : end)(number);
    }
}

// QEMU calls these before it executes the instruction at the address `data`. They count it.

static void on_mask(unsigned cpu, void *data)
{
    (void)cpu;
    (void)data;
    *executed() += 1;
    if (!masked) {
        masked = true;
        masked_at = *executed();
    }
}

static void on_unmask(unsigned cpu, void *data)
{
    (void)cpu;
    (void)data;
    *executed() += 1;
    if (masked) {
        masked = false;
        const uint64_t length = *executed() - masked_at;
        if (length > operation[current].masked) {
            operation[current].masked = length;
        }
    }
}

static void on_save(unsigned cpu, void *data)
{
    (void)cpu;
    *executed() += 1;
    if (depth == nesting) {
        stop("MRS at 0x%" PRIxPTR ": locks nest deeper than %d", (uintptr_t)data, nesting);
    }
    saved[depth++] = masked;
}

static void on_restore(unsigned cpu, void *data)
{
    (depth != 0 && saved[--depth] ? on_mask : on_unmask)(cpu, data);
}

/// What an instruction does: the number of a hint, or 0, and the function to call, or null.
struct meaning {
    unsigned hint;
    void (*call)(unsigned, void *);
};

// An instruction of two bytes may have others behind them here, because QEMU 7.2 reads a halfword ahead before a
// page's end. Only what begins as an instruction of four bytes is compared with them.

static struct meaning meaning_of(const uint8_t *code)
{
    uint16_t half[2];
    memcpy(half, code, sizeof half);
    struct meaning is = {0, NULL};
    if ((half[0] & 0xff0f) == 0xbf00 && half[0] >= hint_begin) {
        is.hint = half[0];
    } else if ((half[0] & 0xffe2) == 0xb662) {
        // CPSIE or CPSID with the I bit.
        is.call = (half[0] & 0x10) != 0 ? on_mask : on_unmask;
    } else if (half[0] == 0xf3ef && (half[1] & 0xf0ff) == 0x8010) {
        is.call = on_save; // MRS of PRIMASK
    } else if ((half[0] & 0xfff0) == 0xf380 && (half[1] & 0xf3ff) == 0x8010) {
        is.call = on_restore; // MSR of PRIMASK
    }
    return is;
}

static void on_translation(struct qemu_plugin_tb *block)
{
    const size_t count = qemu_plugin_tb_n_insns(block);
    for (size_t i = 0; i < count; ++i) {
        struct qemu_plugin_insn *const instruction = qemu_plugin_tb_get_insn(block, i);
        uint8_t code[4] = {0};
        code_of(instruction, code, sizeof code);
        const struct meaning is = meaning_of(code);
        if (is.hint != 0) {
            qemu_plugin_register_vcpu_insn_exec_cb(instruction, on_hint, no_registers, (void *)(uintptr_t)is.hint);
        } else if (is.call != NULL) {
            qemu_plugin_register_vcpu_insn_exec_cb(instruction, is.call, no_registers,
                                                   (void *)(uintptr_t)qemu_plugin_insn_vaddr(instruction));
        } else {
            count_each(instruction);
        }
    }
}

static void on_exit_of_qemu(void)
{
    for (unsigned i = 0; i < operations; ++i) {
        if (operation[i].count != 0 || operation[i].masked != 0) {
            fprintf(out, "%u %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 "\n", i, operation[i].count,
                    operation[i].total, operation[i].max, operation[i].masked);
        }
    }
    if (fclose(out) != 0) {
        stop("cannot write");
    }
}

__attribute__((visibility("default"))) int qemu_plugin_install(qemu_plugin_id_t id, const qemu_info_t *info, int argc,
                                                               char **argv)
{
    if (!info->system_emulation || strcmp(info->target_name, "arm") != 0 || info->system.smp_vcpus > 2) {
        // The second CPU of the AN521 is held at reset.
        stop("written for qemu-system-arm, one CPU; this is %s, %d CPUs", info->target_name, info->system.smp_vcpus);
    }
    if (argc != 1 || strncmp(argv[0], "out=", 4) != 0) {
        stop("needs out=FILE");
    }
    out = fopen(argv[0] + 4, "w");
    if (out == NULL) {
        stop("cannot open %s", argv[0] + 4);
    }
    register_callbacks(id);
    return 0;
}
