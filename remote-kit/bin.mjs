#!/usr/bin/env node
import './hooks.mjs'

// The processes that a build starts read the files of the kit in the same way.
const hooks = new URL('./hooks.mjs', import.meta.url).href
process.env.NODE_OPTIONS = `${process.env.NODE_OPTIONS ?? ''} --import ${hooks}`.trim()
await import('./src/cli.ts')
