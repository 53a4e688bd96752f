// This file lets nanotime.go declare a function without a body.
