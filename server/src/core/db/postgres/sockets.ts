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

const prefix = 'iot-pg-'
const ownerName = 'owner'

/** PostgreSQL names it after its port. */
const socketName = '.s.PGSQL.5432'

/** Which data folder this is, whatever it is called: a copy is another one, a renamed folder is the same. */
export function identifyFolder(folder: string) {
  const { dev, ino, birthtimeMs } = statSync(folder)
  return `${dev}:${ino}:${birthtimeMs}`
}

/** Makes a folder for the socket of the server of a data folder, and writes into it whose it is. */
export function createSocketFolder(folder: string, account: Account) {
  // The path of a socket has 104 to 107 characters and some mounted folders take none.
  const sockets = mkdtempSync(join(tmpdir().length > 60 ? '/tmp' : tmpdir(), prefix))
  own(sockets, folder, account)
  return sockets
}

/**
 * Empties the socket folder for another start, and makes it again where somebody removed it: who connects knows its name.
 * A cleaner of the temporary folder may have taken the file that says whose it is, so the account decides.
 * @throws Error when another account has taken the name
 */
export function prepareSocketFolder(sockets: string, folder: string, account: Account) {
  mkdirSync(sockets, { mode: 0o700, recursive: true })
  const { uid } = lstatSync(sockets)
  if (![account.uid, process.getuid?.()].includes(uid))
    throw new Error(`套接字目录 ${sockets} 属于另一个账号`)
  for (const name of readdirSync(sockets)) rmSync(join(sockets, name))
  own(sockets, folder, account)
}

function own(sockets: string, folder: string, { uid, gid }: Account) {
  writeFileSync(join(sockets, ownerName), identifyFolder(folder), { mode: 0o600 })
  if (uid === undefined || gid === undefined) return
  chownSync(join(sockets, ownerName), uid, gid)
  chownSync(sockets, uid, gid)
}

/**
 * Removes the socket folder that a pid file names, if it is proven to belong to this data folder: a copied data folder
 * names the one its original is using. Only for who holds the lock of the folder and has ended its server.
 */
export function removeSocketFolder(sockets: string, folder: string) {
  if (isSocketFolderOf(sockets, folder)) rmSync(sockets, { recursive: true, force: true })
}

function isSocketFolderOf(sockets: string, folder: string) {
  try {
    return (
      basename(sockets).startsWith(prefix) &&
      lstatSync(sockets).isDirectory() &&
      readFileSync(join(sockets, ownerName), 'utf8') === identifyFolder(folder)
    )
  } catch {
    return false
  }
}

/**
 * Which socket lies there; another one, or none, leads nobody to the server that made the first. Numbers of files have 64
 * bits, and where they are read as 53 Node 20.20 no longer follows the links by which pnpm joins modules loaded later.
 */
export const identifySocket = (sockets: string) =>
  lstatSync(join(sockets, socketName), { bigint: true, throwIfNoEntry: false })?.ino
