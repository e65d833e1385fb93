import { Button } from 'antd'
import { useLocation, useNavigate } from 'react-router-dom'
import { paths } from '@iot/shared/screens/paths'
import { Notice } from './Notice'

/** `missing` in the navigation's state names the right that a refused call asked for. */
export function NotFoundPage() {
  const navigate = useNavigate()
  const { missing } = (useLocation().state ?? {}) as { missing?: string }
  return (
    <Notice
      title={missing === undefined ? '页面不存在' : '没有权限'}
      hint={
        missing === undefined
          ? '地址有误，或该功能尚未开放。'
          : `${missing}。如需使用，请联系管理员开通。`
      }
    >
      <Button onClick={() => navigate(-1)}>返回上一页</Button>
      <Button type="primary" onClick={() => navigate(paths.home())}>
        回到首页
      </Button>
    </Notice>
  )
}
