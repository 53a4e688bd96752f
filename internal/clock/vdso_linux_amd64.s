#include "textflag.h"

// func readVDSO(fn uintptr, id int32) int64
//
// Not NOSPLIT: the stack check of the prologue guarantees the frame, and C runs
// inside it (a vDSO function may use up to a page). R12 is callee-saved in the
// System V ABI. The timespec is above the C stack.
TEXT ·readVDSO(SB), 0, $8192-24
	MOVQ fn+0(FP), AX
	MOVL id+8(FP), DI
	MOVQ SP, R12
	LEAQ 8160(R12), SI
	LEAQ 8128(R12), R13
	ANDQ $~15, R13
	MOVQ R13, SP
	CALL AX
	MOVQ R12, SP
	MOVQ 8160(R12), AX
	MOVQ 8168(R12), CX
	IMULQ $1000000000, AX
	ADDQ CX, AX
	MOVQ AX, ret+16(FP)
	RET
