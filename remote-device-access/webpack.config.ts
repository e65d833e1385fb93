import { remote } from '../scripts/webpack/remote.ts'

export default (build: string, dev?: boolean) =>
  remote({ name: 'deviceAccess', folder: 'remote-device-access', build, dev })
