import Result from 'antd/es/result'

/** Explains why the user sees no home page and who can help. */
export default function NoHome({ why }: { why: 'right' | 'project' }) {
  return why === 'right' ? (
    <Result status="info" title="没有查看设备的权限" subTitle="请联系管理员授予“查看设备”权限。" />
  ) : (
    <Result
      status="info"
      title="没有可查看的项目"
      subTitle="请联系管理员在用户管理中为您分配项目。"
    />
  )
}
