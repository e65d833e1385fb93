import Button from 'antd/es/button'
import { Link } from 'react-router-dom'
import { guidePath } from '@iot/shared/screens/paths'

/** Leads from an empty list to the guide. */
export const GuideLink = () => (
  <Link to={guidePath}>
    <Button size="small">打开接入向导</Button>
  </Link>
)
