import { z } from 'zod'
import zhCN from 'zod/v4/locales/zh-CN.js'

// Schemas define most messages themselves; the remaining ones of zod reach the operator too. In a browser zod would also
// try whether it may compile checks with `eval`, and even a caught attempt violates the policy of the page. Both must be
// set before the first schema, so every schema file imports `z` from here.
z.config({ ...zhCN(), jitless: 'document' in globalThis })

export { z }
