import { host } from '../scripts/webpack/host.ts'

export default (build: string, dev?: boolean) => host({ folder: 'host', build, dev })
