CREATE TABLE "map_engineering" (
	"id" uuid PRIMARY KEY NOT NULL,
	"create_by" text NOT NULL,
	"create_time" timestamp with time zone NOT NULL,
	"update_by" text NOT NULL,
	"update_time" timestamp with time zone NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"engineering_id" integer NOT NULL,
	"name" text NOT NULL,
	"description" text NOT NULL,
	"status" text NOT NULL,
	"groups" jsonb NOT NULL,
	"publish_time" timestamp with time zone,
	"publish_by" text NOT NULL,
	CONSTRAINT "map_engineering_name" UNIQUE("engineering_id","name")
);
