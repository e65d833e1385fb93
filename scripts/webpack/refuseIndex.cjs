/** Refuses the index of antd, its icons and ahooks: it would bring every component, and a second copy of the host's. */
module.exports = function refuseIndex() {
  throw new Error(
    "Import the module itself: import Table from 'antd/es/table', import useRequest from 'ahooks/es/useRequest', import PlusOutlined from '@ant-design/icons/PlusOutlined'. Types: import type { TableProps } from 'antd'",
  )
}
