import { existsSync, readdirSync } from 'node:fs'
import { delimiter, join } from 'node:path'

const debian = '/usr/lib/postgresql'

/** Returns the folder of PostgreSQL's programs; Debian keeps them outside the PATH, in one folder per version. */
function postgresFolder() {
  const versions = existsSync(debian)
    ? readdirSync(debian).sort((a, b) => Number(b) - Number(a))
    : []
  const places = [...versions.map((version) => join(debian, version, 'bin')), ...path()]
  return places.find((folder) => existsSync(join(folder, 'initdb')))
}
const path = () => [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin']

/** Finds PostgreSQL and Mosquitto on this machine; `missing` names those that are not installed. */
export function installed() {
  const postgres = postgresFolder()
  const mosquitto = path()
    .map((folder) => join(folder, 'mosquitto'))
    .find((file) => existsSync(file))
  const missing = [!postgres && 'PostgreSQL', !mosquitto && 'Mosquitto'].filter(
    (name) => name !== false,
  )
  return { postgres, mosquitto, missing }
}
