// SPDX-License-Identifier: MIT
// The part of QEMU's plugin interface that count.c uses, in its three forms. No package has QEMU's header. PLUGIN_API
// is the version of the interface that count.c asks for:
//   1  QEMU 7.2 to 8.2
//   3  9.1 to 11.0: an inline addition goes to a scoreboard, which has a word for each CPU. The bytes of an
//   instruction
//      are copied into a buffer.
//   7  11.1: every callback gets the data of its registration, and none gets the id.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { add_u64 = 0, no_registers = 0 };

typedef uint64_t qemu_plugin_id_t;

typedef struct qemu_info_t {
    const char *target_name;
    struct {
        int min;
        int cur;
    } version;
    bool system_emulation;
    struct {
        int smp_vcpus;
        int max_vcpus;
    } system;
} qemu_info_t;

struct qemu_plugin_tb;
struct qemu_plugin_insn;

size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *block);
struct qemu_plugin_insn *qemu_plugin_tb_get_insn(const struct qemu_plugin_tb *block, size_t index);
uint64_t qemu_plugin_insn_vaddr(const struct qemu_plugin_insn *instruction);
void qemu_plugin_register_vcpu_insn_exec_cb(struct qemu_plugin_insn *instruction,
                                            void (*call)(unsigned cpu, void *data), int flags, void *data);

// What differs, behind one face for all forms: count_each(), executed(), code_of(), and register_callbacks() of these
// two.
static void on_translation(struct qemu_plugin_tb *block);
static void on_exit_of_qemu(void);

#if PLUGIN_API == 1

void qemu_plugin_register_vcpu_insn_exec_inline(struct qemu_plugin_insn *instruction, int operation, void *word,
                                                uint64_t value);

static uint64_t *executed(void)
{
    static uint64_t word;
    return &word;
}

static void count_each(struct qemu_plugin_insn *instruction)
{
    qemu_plugin_register_vcpu_insn_exec_inline(instruction, add_u64, executed(), 1);
}

const void *qemu_plugin_insn_data(const struct qemu_plugin_insn *instruction);
size_t qemu_plugin_insn_size(const struct qemu_plugin_insn *instruction);

static void code_of(const struct qemu_plugin_insn *instruction, void *code, size_t most)
{
    const size_t size = qemu_plugin_insn_size(instruction);
    memcpy(code, qemu_plugin_insn_data(instruction), size < most ? size : most);
}

#else

struct qemu_plugin_scoreboard;
struct qemu_plugin_scoreboard *qemu_plugin_scoreboard_new(size_t size);
void *qemu_plugin_scoreboard_find(struct qemu_plugin_scoreboard *board, unsigned cpu);

typedef struct {
    struct qemu_plugin_scoreboard *board;
    size_t offset;
} qemu_plugin_u64;

void qemu_plugin_register_vcpu_insn_exec_inline_per_vcpu(struct qemu_plugin_insn *instruction, int operation,
                                                         qemu_plugin_u64 word, uint64_t value);

static qemu_plugin_u64 counter(void)
{
    static qemu_plugin_u64 words;
    if (words.board == NULL) {
        words.board = qemu_plugin_scoreboard_new(sizeof(uint64_t));
    }
    return words;
}

// QEMU has no CPU yet when it installs a plugin, so only a callback may ask for the word.
static uint64_t *executed(void)
{
    return qemu_plugin_scoreboard_find(counter().board, 0);
}

static void count_each(struct qemu_plugin_insn *instruction)
{
    qemu_plugin_register_vcpu_insn_exec_inline_per_vcpu(instruction, add_u64, counter(), 1);
}

size_t qemu_plugin_insn_data(const struct qemu_plugin_insn *instruction, void *code, size_t most);

static void code_of(const struct qemu_plugin_insn *instruction, void *code, size_t most)
{
    qemu_plugin_insn_data(instruction, code, most);
}

#endif

#if PLUGIN_API < 7

void qemu_plugin_register_vcpu_tb_trans_cb(qemu_plugin_id_t id,
                                           void (*call)(qemu_plugin_id_t id, struct qemu_plugin_tb *block));
void qemu_plugin_register_atexit_cb(qemu_plugin_id_t id, void (*call)(qemu_plugin_id_t id, void *data), void *data);

static void translates(qemu_plugin_id_t id, struct qemu_plugin_tb *block)
{
    (void)id;
    on_translation(block);
}

static void exits(qemu_plugin_id_t id, void *data)
{
    (void)id;
    (void)data;
    on_exit_of_qemu();
}

static void register_callbacks(qemu_plugin_id_t id)
{
    qemu_plugin_register_vcpu_tb_trans_cb(id, translates);
    qemu_plugin_register_atexit_cb(id, exits, NULL);
}

#else

void qemu_plugin_register_vcpu_tb_trans_cb(qemu_plugin_id_t id,
                                           void (*call)(struct qemu_plugin_tb *block, void *data), void *data);
void qemu_plugin_register_atexit_cb(qemu_plugin_id_t id, void (*call)(void *data), void *data);

static void translates(struct qemu_plugin_tb *block, void *data)
{
    (void)data;
    on_translation(block);
}

static void exits(void *data)
{
    (void)data;
    on_exit_of_qemu();
}

static void register_callbacks(qemu_plugin_id_t id)
{
    qemu_plugin_register_vcpu_tb_trans_cb(id, translates, NULL);
    qemu_plugin_register_atexit_cb(id, exits, NULL);
}

#endif
