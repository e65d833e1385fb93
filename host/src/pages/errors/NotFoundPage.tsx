import { Button, Result } from 'antd'
import { useLocation, useNavigate } from 'react-router-dom'

/** `missing` in the navigation's state names the right that a refused call asked for. */
export function NotFoundPage() {
  const navigate = useNavigate()
  const { missing } = (useLocation().state ?? {}) as { missing?: string }
  return (
    <Result
      status={missing === undefined ? '404' : '403'}
      title={missing === undefined ? '页面不存在' : '没有权限'}
      subTitle={missing === undefined ? '地址有误，或该功能尚未开放。' : `${missing}。如需使用，请联系管理员开通。`}
      extra={[
        <Button key="back" onClick={() => navigate(-1)}>返回上一页</Button>,
        <Button key="home" type="primary" onClick={() => navigate('/home')}>回到首页</Button>,
      ]}
    />
  )
}
