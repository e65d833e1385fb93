CREATE TABLE "delayed_control" (
	"id" uuid PRIMARY KEY NOT NULL,
	"project_id" integer NOT NULL,
	"request" jsonb NOT NULL,
	"title" text NOT NULL,
	"status" text DEFAULT 'waiting' NOT NULL,
	"due_time" timestamp with time zone NOT NULL,
	"owner_id" uuid NOT NULL,
	"create_by" text NOT NULL,
	"create_time" timestamp with time zone NOT NULL,
	"end_time" timestamp with time zone,
	"reason" text DEFAULT '' NOT NULL,
	"task_id" uuid
);
--> statement-breakpoint
CREATE INDEX "delayed_control_due" ON "delayed_control" USING btree ("due_time") WHERE "delayed_control"."status" = 'waiting';--> statement-breakpoint
CREATE INDEX "delayed_control_project" ON "delayed_control" USING btree ("project_id","due_time");