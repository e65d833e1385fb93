import { areaText } from '@iot/shared/contract/areaText'
import { remoteNames } from '@iot/shared/contract/release'

/** The host knows its remotes by name and address only; where they are, the pointer says. */
export const remotes = remoteNames.map((name) => ({ name, title: areaText[name] }))

export const remoteFor = (path: string) =>
  remotes.find(({ name }) => path === `/${name}` || path.startsWith(`/${name}/`))
