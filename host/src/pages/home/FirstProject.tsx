import useRequest from 'ahooks/es/useRequest'
import Button from 'antd/es/button'
import Result from 'antd/es/result'
import { Link } from 'react-router-dom'
import { call } from '@iot/shared/client/call'
import { managedProjectApi } from '@iot/shared/contract/project/managedProject.api'
import { guidePath, paths } from '@iot/shared/screens/paths'
import { useFeedback } from '@iot/shared/ui/feedback'

/** Appears on a platform without projects for a user who may create one. */
export default function FirstProject() {
  const { message } = useFeedback()
  const { data, error, refresh } = useRequest(() =>
    call(managedProjectApi.example, {}, { quiet: true }),
  )
  const { run: runImport, loading } = useRequest(() => call(managedProjectApi.importExample, {}), {
    manual: true,
    onSuccess: () => void message.success('示例楼宇已导入'),
    onError: () => {},
  })
  return (
    <Result
      status="info"
      title="还没有项目"
      subTitle={
        data?.available
          ? '接入向导带您从建项目到控制第一台设备；也可以先导入示例楼宇看一看。'
          : '接入向导带您从建项目到控制第一台设备。'
      }
      extra={[
        <Link key="guide" to={guidePath}>
          <Button type="primary">打开接入向导</Button>
        </Link>,
        <Link key="new" to={paths.system.project()}>
          <Button>新建项目</Button>
        </Link>,
        data?.available && (
          <Button key="example" loading={loading} onClick={runImport}>
            导入示例楼宇
          </Button>
        ),
        !data && error && (
          <Button key="again" onClick={refresh}>
            没有读到示例楼宇，重试
          </Button>
        ),
      ]}
    />
  )
}
