CREATE TABLE "device_group" (
	"id" uuid PRIMARY KEY NOT NULL,
	"create_by" text NOT NULL,
	"create_time" timestamp with time zone NOT NULL,
	"update_by" text NOT NULL,
	"update_time" timestamp with time zone NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"project_id" integer NOT NULL,
	"name" text NOT NULL,
	"kind" text NOT NULL,
	"device_ids" jsonb NOT NULL,
	"product_ids" jsonb NOT NULL,
	"space_ids" jsonb NOT NULL,
	"tags" jsonb NOT NULL,
	"description" text NOT NULL,
	CONSTRAINT "device_group_name" UNIQUE("project_id","name")
);
