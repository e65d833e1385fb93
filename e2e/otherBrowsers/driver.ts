import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'

/** Browser functions for tests; elements are named by XPath, which both protocols know. */
export type Browser = {
  version: string
  open: (address: string) => Promise<unknown>
  /** Returns a reference to the first such element. */
  find: (xpath: string) => Promise<string | undefined>
  /** Runs a function, given as its source, with an element. */
  run: (source: string, element: string) => Promise<string>
  /** Performs the actions of one input device. */
  act: (inputSource: object) => Promise<unknown>
  takeScreenshot: () => Promise<string>
  close: () => Promise<void>
}

/** The fields of the answers of both protocols that are used here. */
export type Answer = Partial<{
  id: number
  type: string
  message: string
  error: string
  result: Answer
  value: string
  sessionId: string
  capabilities: { browserVersion: string }
  contexts: { context: string }[]
  nodes: { sharedId: string }[]
  data: string
}>

export const size = { width: 1280, height: 800 }
export const findPath = (...paths: string[]) => paths.find(existsSync)
export async function stop(child: ChildProcess) {
  child.kill()
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
}
export async function retry<T>(
  attempt: () => Promise<T | undefined>,
  what: string,
  timeoutMs = 60_000,
) {
  const deadline = Date.now() + timeoutMs
  for (;;) {
    const result = await attempt().catch((error: Error) => {
      if (Date.now() > deadline) throw error
      return undefined
    })
    if (result !== undefined) return result
    if (Date.now() > deadline) throw new Error(`${what} is not there`)
    await wait(200)
  }
}
