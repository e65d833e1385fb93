import { defineConfig } from 'drizzle-kit'

/** `pnpm --filter server migration --name <what>` writes the next file of `src/migrations`. */
export default defineConfig({
  dialect: 'postgresql',
  schema: './src/tables/*.ts',
  out: './src/migrations',
  casing: 'snake_case',
})
