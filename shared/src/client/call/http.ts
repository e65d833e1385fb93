import axios, { type AxiosError, type AxiosResponse } from 'axios'
import { headerNames } from '../../contract/endpoint'
import { store } from '../../session/store'
import { tokenAtom } from '../../session/user'
import { readPageMeta } from '../pageMeta'
import { learnServerTime } from '../serverClock'

/**
 * Base of the API from `<meta name="api-base">`: an origin, or the base path of the console; empty means the origin of
 * the page.
 */
export const getApiBase = () => readPageMeta('api-base') ?? ''

export const http = axios.create({ timeout: 20_000 })

const sentTimes = new WeakMap<object, number>()
http.interceptors.request.use((config) => {
  sentTimes.set(config, Date.now())
  config.baseURL = getApiBase()
  const token = store.get(tokenAtom)
  if (token) config.headers.set('satoken', `Bearer ${token}`)
  return config
})

http.interceptors.response.use(
  (response) => {
    learnTimeFromResponse(response)
    return response
  },
  (error: AxiosError) => {
    if (error.response) learnTimeFromResponse(error.response)
    throw error
  },
)
function learnTimeFromResponse({ config, headers }: AxiosResponse) {
  const time: unknown = headers[headerNames.serverTime]
  const sentMs = sentTimes.get(config)
  if (sentMs !== undefined && time !== undefined) learnServerTime(Number(time), sentMs, Date.now())
}
