import { baseConfigSchemas } from '@iot/shared/contract/baseConfig.schema'
import { baseConfigApi } from '@iot/shared/contract/baseConfig.api'
import type { FastifyInstance } from 'fastify'
import { serve } from '../../core/http/serve'

export function baseConfigRoutes(app: FastifyInstance) {
  serve(app, baseConfigApi, baseConfigSchemas, {
    get: () => ({
      name: '物联云平台',
      slogon: '万物互联，安全无忧',
      logo: '',
      headerLogo: '',
      loginLogo: '',
      loginBg: '',
      themeColor: '',
      icp: '',
      captcha: true,
      passwordPolicy: '至少 8 位，须同时含字母和数字',
    }),
  })
}
