import { chmodSync, lchownSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Of the process that serves the database; empty is our own. */
export type Account = { uid?: number; gid?: number }

/** PostgreSQL refuses to run as root: then it is whoever owns the folder or one above it, or nobody. */
export function accountFor(folder: string): Account {
  if (process.getuid?.() !== 0) return {}
  for (const at of [folder, dirname(folder), dirname(dirname(folder))]) {
    const { uid, gid } = statSync(at, { throwIfNoEntry: false }) ?? { uid: 0, gid: 0 }
    if (uid !== 0) return { uid, gid }
  }
  return nobody()
}

/** initdb asks for a name of its account, which an owner from outside a container has not. */
export function namedAccount(): Account {
  return process.getuid?.() === 0 ? nobody() : {}
}

function nobody(): Account {
  const [, uid, gid] =
    /^nobody:[^:]*:(-?\d+):(-?\d+):/m.exec(readFileSync('/etc/passwd', 'utf8')) ?? []
  return { uid: Number(uid ?? 65_534), gid: Number(gid ?? 65_534) }
}

/** Also after a copy was put back by root. */
export function handOver(folder: string, { uid, gid }: Account) {
  chmodSync(folder, 0o700)
  if (uid === undefined || gid === undefined) return
  lchownSync(folder, uid, gid)
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true }))
    lchownSync(join(entry.parentPath, entry.name), uid, gid)
}
