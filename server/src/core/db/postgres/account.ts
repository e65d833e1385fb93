import { chmodSync, lchownSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** User and group id that the database process runs with; empty means the account of this process. */
export type Account = { uid?: number; gid?: number }

/**
 * PostgreSQL refuses to run as root. In that case it runs as the owner of the folder or of one of its two parents, or
 * as the unprivileged account of the system.
 */
export function findAccount(folder: string): Account {
  if (process.getuid?.() !== 0) return {}
  for (const path of [folder, dirname(folder), dirname(dirname(folder))]) {
    const { uid, gid } = statSync(path, { throwIfNoEntry: false }) ?? { uid: 0, gid: 0 }
    if (uid !== 0) return { uid, gid }
  }
  return getNobodyAccount()
}

/** initdb needs an account that has a name; the owner of a folder mounted into a container may have none. */
export function getNamedAccount(): Account {
  return process.getuid?.() === 0 ? getNobodyAccount() : {}
}

function getNobodyAccount(): Account {
  const [, uid, gid] =
    /^nobody:[^:]*:(-?\d+):(-?\d+):/m.exec(readFileSync('/etc/passwd', 'utf8')) ?? []
  return { uid: Number(uid ?? 65_534), gid: Number(gid ?? 65_534) }
}

/** Gives the folder and everything in it to the account, also after root restored a backup. */
export function changeFolderOwner(folder: string, { uid, gid }: Account) {
  chmodSync(folder, 0o700)
  if (uid === undefined || gid === undefined) return
  lchownSync(folder, uid, gid)
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true }))
    lchownSync(join(entry.parentPath, entry.name), uid, gid)
}
