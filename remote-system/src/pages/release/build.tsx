import { Typography } from 'antd'
import dayjs from 'dayjs'

export const at = (time: string) => dayjs(time).format('YYYY-MM-DD HH:mm')
export const none = <Typography.Text type="secondary">—</Typography.Text>
export const Build = ({ id }: { id: string | null }) =>
  id ? (
    <Typography.Text code ellipsis={{ tooltip: id }} style={{ maxWidth: 170 }}>
      {id}
    </Typography.Text>
  ) : (
    none
  )
