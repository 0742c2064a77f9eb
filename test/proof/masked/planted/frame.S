// SPDX-License-Identifier: MIT
// What the planted programs are made of.
#ifdef __riscv
#define A a0
#define B a1
#define C a2
#define KEEP a3
#define KEPT s0
#define masks(keep) csrrci keep, mstatus, 8
#define unmasks(keep) csrs mstatus, keep
#define raises(keep, priority) masks(keep)
#define lowers(keep) unmasks(keep)
#define mask csrci mstatus, 8
#define unmask csrsi mstatus, 8
#define enter addi sp, sp, -16; sw ra, 12(sp); sw KEPT, 8(sp)
#define leave lw KEPT, 8(sp); lw ra, 12(sp); addi sp, sp, 16; ret
#define returns ret
#define call(function) jal function
#define call_back(register) jalr register
#define jump(place) j place
#define if_zero(register, place) beqz register, place
#define if_not_zero(register, place) bnez register, place
#define set(register, number) li register, number
#define decrement(register) addi register, register, -1
#define load(to, from, offset) lw to, offset(from)
#define store(register, to, offset) sw register, offset(to)
#define move_sp(bytes) addi sp, sp, bytes
#define unknown amoadd.w a0, a1, (a2)
#else
    .syntax unified
#define A r0
#define B r1
#define C r2
#define KEEP r3
#define KEPT r4
#define masks(keep) mrs keep, primask; cpsid i
#define unmasks(keep) msr primask, keep
#define raises(keep, priority) mrs keep, basepri; msr basepri_max, priority
#define lowers(keep) msr basepri, keep
#define mask cpsid i
#define unmask cpsie i
#define enter push {KEPT, lr}
#define leave pop {KEPT, pc}
#define returns bx lr
#define call(function) bl function
#define call_back(register) blx register
#define jump(place) b place
#define if_zero(register, place) cbz register, place
#define if_not_zero(register, place) cbnz register, place
#define set(register, number) movs register, number
#define decrement(register) subs register, register, 1
#define load(to, from, offset) ldr to, [from, offset]
#define store(register, to, offset) str register, [to, offset]
#define move_sp(bytes) add sp, sp, bytes
#define unknown svc #0
#endif

    .macro nops count
    .rept \count
    nop
    .endr
    .endm
    .macro function name
#ifdef __thumb__
    .thumb_func
#endif
    .type \name, %function
\name:
    .endm
    .macro program name
    .global \name
    function \name
    .endm
