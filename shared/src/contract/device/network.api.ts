import { defineApi } from '../endpoint'
import type { networkSchemas } from './network.schema'

export const networkApi = defineApi<typeof networkSchemas>({
  list: {
    method: 'GET',
    path: '/v1/network/list',
    title: '接入组件',
    permission: 'system:network:list',
  },
  clients: {
    method: 'POST',
    path: '/v1/network/client/page',
    title: '在线客户端',
    permission: 'system:network:query',
  },
  get: {
    method: 'GET',
    path: '/v1/network/client/{id}',
    title: '查看客户端',
    permission: 'system:network:query',
  },
  kick: {
    method: 'POST',
    path: '/v1/network/client/kick',
    title: '断开客户端',
    permission: 'system:network:kick',
    owner: 'platform',
  },
  /**
   * Returns refused connections, the newest first; those of unregistered devices require the data scope “all projects”.
   */
  refusals: {
    method: 'POST',
    path: '/v1/network/refusal/page',
    title: '接入拒绝',
    permission: 'system:network:query',
  },
  /** Tests a configured component; the caller cannot choose an address. */
  test: {
    method: 'POST',
    path: '/v1/network/test',
    title: '连通性测试',
    reads: true,
    permission: 'system:network:test',
  },
})
