// SPDX-License-Identifier: MIT
// A QEMU plugin that notes how the guest executes each instruction of the library
// during an operation. A hint marks the operation's begin, another its end. Code of
// the interrupt does not count. A line of the output is one of
//   before <address>   interrupts were on, and none had come
//   behind <address>   interrupts were on, after an interrupt
//   masked <address>   interrupts were masked
// Only addresses from=.. to=.. count: the library's.
//
// The plugin also stops a program that hangs in the library.
//
// A plugin cannot read registers, so it counts the locks that are held. An operation
// begins with interrupts on. CPSID and MSR BASEPRI_MAX take a lock, and another MSR
// leaves the last one. On RISC-V CSRRCI and CSRRS of mstatus do so.
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
    most_in_a_run = 10000000
};

static bool is_riscv;
static uint32_t from;
static uint32_t to;
static FILE *out;
/// Between the hints of an operation; within the interrupt; after it.
static bool active;
static bool in_interrupt;
static bool interrupted;
/// Instructions of the library since the operation began.
static unsigned in_this_run;
static unsigned locks;
enum { before, behind, under_mask, ways };
static const char *const words[ways] = {"before", "behind", "masked"};
static bool seen[ways][most_code / 2];

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
        in_this_run = 0;
        interrupted = false;
        locks = 0;
        break;
    case hint_end:
        if (locks != 0) {
            stop("an operation ends with interrupts masked");
        }
        active = false;
        break;
    case hint_interrupt:
        if (active && locks != 0) {
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

/// What an instruction does to the lock.
enum effect { none, takes, leaves };

static enum effect effect_of(const uint16_t half[2])
{
    enum { cpsid_i = 0xb672, msr = 0xf380, basepri_max = 0x12 };
    if ((half[0] & 0xfff0) == msr) {
        return (half[1] & 0xff) == basepri_max ? takes : leaves;
    }
    return half[0] == cpsid_i ? takes : none;
}

static enum effect effect_of_riscv(const uint16_t half[2])
{
    enum { csrrci = 0x7073, csrrs = 0x2073, mstatus_8 = 0x3004 };
    if ((half[0] & 0xf07f) == csrrci && half[1] == mstatus_8) {
        return takes;
    }
    return (half[0] & 0x707f) == csrrs && half[1] >> 4 == mstatus_8 >> 4 ? leaves : none;
}

/// QEMU calls this before it executes an instruction of the library. The data are its address and its effect.
static void on_instruction(unsigned cpu, void *data)
{
    (void)cpu;
    if (++in_this_run > most_in_a_run) {
        stop("the library hangs");
    }
    if (active && !in_interrupt) {
        const uint64_t is = (uintptr_t)data;
        seen[locks != 0 ? under_mask : interrupted ? behind : before][((uint32_t)is - from) / 2] = true;
        switch ((enum effect)(is >> 32)) {
        case takes:
            ++locks;
            break;
        case leaves:
            --locks;
            break;
        case none:
            break;
        }
    }
}

/// The number of a hint, else 0. ADDI zero, zero has the number in its upper twelve bits.
static unsigned hint_of(const uint16_t half[2])
{
    const unsigned hint = !is_riscv ? half[0] : half[0] == 0x0013 ? 0xb800u + (half[1] >> 4) : 0;
    return hint == hint_begin || hint == hint_end || hint == hint_interrupt || hint == hint_return ? hint : 0;
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
        // QEMU's size of an instruction is wrong at a page's end. 0b11101 and above begins two halfwords, on RISC-V
        // 0b11 at the end.
        if (is_riscv ? (half[0] & 3) == 3 : half[0] >> 11 >= 0x1d) {
            memcpy(half + 1, code + 2, 2);
        }
        const unsigned hint = hint_of(half);
        if (hint != 0) {
            qemu_plugin_register_vcpu_insn_exec_cb(instruction, on_hint, no_registers, (void *)(uintptr_t)hint);
        } else if (address >= from && address < to) {
            const enum effect effect = (is_riscv ? effect_of_riscv : effect_of)(half);
            qemu_plugin_register_vcpu_insn_exec_cb(instruction, on_instruction, no_registers,
                                                   (void *)(uintptr_t)(address | (uint64_t)effect << 32));
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

__attribute__((visibility("default"))) int qemu_plugin_install(qemu_plugin_id_t id, const qemu_info_t *info, int argc,
                                                               char **argv)
{
    is_riscv = strcmp(info->target_name, "riscv32") == 0;
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
