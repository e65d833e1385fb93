import type { Endpoint } from './endpoint'

/** A build that is not published is tried in one browser; no endpoint is asked, so none can carry this code. */
export const releaseTrial: Pick<Endpoint, 'permission' | 'title'> = {
  permission: 'system:release:override',
  title: '试用开发中的版本',
}
