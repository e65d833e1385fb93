/**
 * `pnpm bench --small` runs benchmarks with few rows and one round. It tests that they work; its figures say nothing
 * about the product.
 */
export const isSmall = process.env.BENCH_SMALL === '1'

/** Returns the size of a benchmark's data or the number of its rounds. */
export const pickSize = <T>(full: T, small: T): T => (isSmall ? small : full)
