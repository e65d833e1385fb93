import { remote } from '../scripts/webpack/remote.ts'

export default (build: string, dev?: boolean) =>
  remote({ name: 'enterprise', folder: 'remote-enterprise', build, dev })
