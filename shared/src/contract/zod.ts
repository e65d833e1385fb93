import { config } from 'zod'
import zhCN from 'zod/v4/locales/zh-CN.js'

// Schemas define most messages themselves; the remaining ones of zod reach the operator too. In a browser zod would also
// try whether it may compile checks with `eval`, and even a caught attempt violates the policy of the page. Both must be
// set before the first schema, so every schema file imports `* as z` from here. A named export `z` would carry the whole
// of zod with all its languages into the page, because webpack cannot see which parts of it are used.
config({ ...zhCN(), jitless: 'document' in globalThis })

export * from 'zod'
