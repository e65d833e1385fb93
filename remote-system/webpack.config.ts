import { remote } from '../scripts/webpack/remote.ts'

export default (build: string, dev?: boolean) =>
  remote({ name: 'system', folder: 'remote-system', build, dev })
