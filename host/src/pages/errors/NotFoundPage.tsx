import Button from 'antd/es/button'
import { useEffect } from 'react'
import { useLocation, useNavigate } from 'react-router-dom'
import { paths } from '@iot/shared/screens/paths'
import { usePageTitle } from '../../usePageTitle'
import { getReturnPath } from '../login/returnPath'
import { Notice } from './Notice'

const wasReloaded = () =>
  performance
    .getEntriesByType('navigation')
    .some((entry) => 'type' in entry && entry.type === 'reload')
let isFirstVisit = true

/**
 * `missing` in the navigation state names the permission that a refused call needed, and `from` the address of that
 * call: 重试, or a reload after the permission was granted, returns there.
 */
export function NotFoundPage() {
  const navigate = useNavigate()
  const { state, search } = useLocation()
  const { missing } = (state ?? {}) as { missing?: string }
  const from = new URLSearchParams(search).has('from') ? getReturnPath(search) : undefined
  const title = missing === undefined && !from ? '页面不存在' : '没有权限'
  usePageTitle(title)

  useEffect(() => {
    const isReload = isFirstVisit && wasReloaded()
    isFirstVisit = false
    if (isReload && from) void navigate(from, { replace: true })
  }, [from, navigate])

  return (
    <Notice
      title={title}
      hint={
        title === '页面不存在'
          ? '地址有误，或该功能尚未开放。'
          : `${missing ?? '这个页面需要的权限您还没有'}。如需使用，请联系管理员开通；开通后点“重试”。`
      }
    >
      {from ? (
        <Button onClick={() => navigate(from, { replace: true })}>重试</Button>
      ) : (
        <Button onClick={() => navigate(-1)}>返回上一页</Button>
      )}
      <Button type="primary" onClick={() => navigate(paths.home())}>
        回到首页
      </Button>
    </Notice>
  )
}
