import {
  chownSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import type { Account } from './account'

const folderPrefix = 'iot-pg-'
const ownerFileName = 'owner'

/** PostgreSQL names its socket after its port. */
const socketName = '.s.PGSQL.5432'

/** Identifies a data folder independently of its name: a copy differs, a renamed folder stays the same. */
export function identifyFolder(folder: string) {
  const { dev, ino, birthtimeMs } = statSync(folder)
  return `${dev}:${ino}:${birthtimeMs}`
}

/** Creates a folder for the socket of a data folder's server and records in it which data folder it belongs to. */
export function createSocketFolder(folder: string, account: Account) {
  // The path of a socket may have at most 104 to 107 characters, and some mounted folders cannot hold sockets.
  const sockets = mkdtempSync(join(tmpdir().length > 60 ? '/tmp' : tmpdir(), folderPrefix))
  writeOwnerFile(sockets, folder, account)
  return sockets
}

/**
 * Empties the socket folder for a restart and recreates it under the same name if it was removed, because clients
 * know that name. A cleaner of the temporary folder may have deleted the owner file, so the owning account is checked
 * instead.
 * @throws Error if another account has taken the name
 */
export function prepareSocketFolder(sockets: string, folder: string, account: Account) {
  mkdirSync(sockets, { mode: 0o700, recursive: true })
  const { uid } = lstatSync(sockets)
  if (![account.uid, process.getuid?.()].includes(uid))
    throw new Error(`套接字目录 ${sockets} 属于另一个账号`)
  for (const name of readdirSync(sockets)) rmSync(join(sockets, name))
  writeOwnerFile(sockets, folder, account)
}

function writeOwnerFile(sockets: string, folder: string, { uid, gid }: Account) {
  writeFileSync(join(sockets, ownerFileName), identifyFolder(folder), { mode: 0o600 })
  if (uid === undefined || gid === undefined) return
  chownSync(join(sockets, ownerFileName), uid, gid)
  chownSync(sockets, uid, gid)
}

/**
 * Removes the socket folder that a pid file names if it provably belongs to this data folder; a copied data folder
 * names the socket folder of its original. The caller must hold the folder lock and have ended the server.
 */
export function removeSocketFolder(sockets: string, folder: string) {
  if (isOwnSocketFolder(sockets, folder)) rmSync(sockets, { recursive: true, force: true })
}

function isOwnSocketFolder(sockets: string, folder: string) {
  try {
    return (
      basename(sockets).startsWith(folderPrefix) &&
      lstatSync(sockets).isDirectory() &&
      readFileSync(join(sockets, ownerFileName), 'utf8') === identifyFolder(folder)
    )
  } catch {
    return false
  }
}

/**
 * Returns the inode of the socket file; a different or missing one means that new clients cannot reach the running
 * server. Inodes have 64 bits, so they are read as bigint. Reading them as numbers made Node 20.20 fail to follow the
 * links with which pnpm joins modules that are loaded later.
 */
export const identifySocket = (sockets: string) =>
  lstatSync(join(sockets, socketName), { bigint: true, throwIfNoEntry: false })?.ino
