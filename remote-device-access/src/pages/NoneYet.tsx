import { Typography } from 'antd'
import { Link } from 'react-router-dom'
import type { Endpoint } from '@iot/shared/contract/endpoint'
import { useCan } from '@iot/shared/session/can'

type NoneYetProps = {
  /** What one would choose. */
  of: string
  /** The screen such rows are made on, and the call that makes them. */
  at: { title: string; path: string }
  to: Pick<Endpoint, 'permission' | 'owner'>
}

/** What a select says where there is nothing to choose: where that is made, or whom to ask. The form stays as it is. */
export function NoneYet({ of, at, to }: NoneYetProps) {
  const may = useCan()(to)
  return (
    <Typography.Text type="secondary">
      没有可选的{of}，
      {may ? (
        <>
          可到“
          <Link to={at.path} target="_blank" rel="noreferrer">
            {at.title}
          </Link>
          ”新建
        </>
      ) : (
        '请联系管理员添加'
      )}
    </Typography.Text>
  )
}
