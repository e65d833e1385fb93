#!/usr/bin/env node
import { register } from 'node:module'
import { register as readTypeScript } from 'tsx/esm/api'

readTypeScript()
register('./resolve.mjs', import.meta.url)
await import('./src/cli.ts')
