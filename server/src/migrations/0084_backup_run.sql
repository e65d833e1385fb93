CREATE TABLE "backup_run" (
	"id" uuid PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"state" text NOT NULL,
	"step" text NOT NULL,
	"started_by" text NOT NULL,
	"start_time" timestamp with time zone NOT NULL,
	"end_time" timestamp with time zone,
	"alive_time" timestamp with time zone NOT NULL,
	"host" text NOT NULL,
	"file_name" text,
	"bytes" bigint,
	"table_count" integer,
	"row_count" bigint,
	"is_encrypted" boolean NOT NULL,
	"verification" text NOT NULL,
	"error" text DEFAULT '' NOT NULL,
	"ticket_hash" text,
	"ticket_time" timestamp with time zone
);
--> statement-breakpoint
CREATE UNIQUE INDEX "backup_run_running" ON "backup_run" USING btree ("state") WHERE state = 'running';--> statement-breakpoint
CREATE INDEX "backup_run_start" ON "backup_run" USING btree ("start_time");